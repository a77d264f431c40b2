"""``python -m tests.kernel.races``: the threads of the kernel under ThreadSanitizer, on demand.

Builds the search and the certifier with ``-fsanitize=thread`` in a folder of their own (this needs CMake and nanobind)
and runs them with several threads on networks that replace many states, are stopped, paused or in error. Ends with 1
where a race is reported.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODULES = ("_zones", "_certifier")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        flags = "-fsanitize=thread -g -O1"
        configure = ["cmake", "-S", str(ROOT), "-B", folder, f"-DPython_EXECUTABLE={sys.executable}"]
        subprocess.run([*configure, f"-DCMAKE_CXX_FLAGS={flags}"], check=True, stdout=subprocess.DEVNULL)
        build = ["cmake", "--build", folder, "--target", *MODULES]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
        runtime = subprocess.run(
            ["c++", "-print-file-name=libtsan.so"], check=True, capture_output=True, text=True
        ).stdout.strip()
        environment = os.environ | {"LD_PRELOAD": runtime, "TSAN_OPTIONS": "exitcode=66 report_bugs=1"}
        command = [sys.executable, "-m", "tests.kernel.races", folder]
        ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    print(ended.stdout, end="")
    races = ended.stderr.count("WARNING: ThreadSanitizer")
    if races or ended.returncode:
        print(ended.stderr[-6000:])
    print(f"{races} races")
    return 1 if races or ended.returncode else 0


def run(folder: Path) -> None:
    for name in MODULES:
        path = next(folder.glob(f"{name}.*so"))
        spec = importlib.util.spec_from_file_location(f"argosy.kernel.{name}", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[f"argosy.kernel.{name}"] = module
        spec.loader.exec_module(module)
    from tests.kernel import test_threads as tests
    from tests.kernel.networks import fischer, token_ring

    for by_simulation in (False, True):
        for model in (fischer(5), fischer(5, mutual=False), token_ring(3)):
            tests.test_one_thread_and_several_find_the_same(model, by_simulation)
        tests.test_certificates_with_threads(by_simulation)
    tests.test_random_networks()
    tests.test_pauses()
    tests.test_a_model_error_has_the_same_trace()
    tests.test_limits_end_all_threads()
    tests.test_who_asks_for_the_end_of_a_check_gets_it()
    print("every test of threads has passed")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run(Path(sys.argv[1]))
        sys.exit(0)
    sys.exit(main())
