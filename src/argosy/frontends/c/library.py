"""Functions that a program uses without defining them, and what the front end makes of each.

A function that is defined in the text is an ordinary function, whatever its name. ``ERRORS`` and ``LABEL`` are what
verifiers take for the error where nobody says what it is.
"""

from __future__ import annotations

import re
from enum import Enum

from argosy.frontends.c.mathematics import FUNCTIONS, UNMODELLED

ERRORS = frozenset(("reach_error", "__VERIFIER_error"))
LABEL = "ERROR"


class ForeignReach(Enum):
    """What a function without a body may change: nothing; the object that an argument points into (as the functions of
    the library do that read input); whatever its arguments lead to; whatever it may know of besides, which is every
    object with external linkage and every one whose address has left this file."""

    PURE = "pure"
    GIVEN = "given"
    ARGUMENTS = "arguments"
    REACHABLE = "reachable"


class Role(Enum):
    """What a call does. ``UNMODELLED`` gives a value that is refused where it matters, ``CONTROL`` moves control in
    ways that are not followed and is refused where it is reachable, a ``BOUND`` is refused where it is reached.
    ``NOTHING`` and ``EXTERNAL`` may give any value, ``INPUT`` too, and it writes any value to where its arguments
    point. What is ``COMPUTED`` depends on its arguments alone (``lower.integer_calls``)."""

    ASSUME = "assume"
    ASSERT = "assert"
    FAILED_ASSERT = "failed assert"
    END = "end"
    CHOICE = "choice"
    EXPECT = "expect"
    NOTHING = "nothing"
    INPUT = "input"
    RELEASE = "release"
    MATHEMATICS = "mathematics"
    COMPUTED = "computed"
    UNMODELLED = "unmodelled"
    CONTROL = "control"
    BOUND = "bound"
    EXTERNAL = "external"


# What gives memory, and what else gives memory that must be freed.
ALLOCATORS = frozenset(("malloc", "calloc", "alloca", "__builtin_alloca", "kmalloc", "kzalloc", "__builtin_malloc"))
GIVERS = frozenset(("realloc", "reallocarray", "strdup", "strndup", "getline", "getdelim")) | frozenset(
    ("aligned_alloc", "memalign", "valloc", "posix_memalign", "asprintf", "vasprintf")
)
ALLOCATING = ALLOCATORS | GIVERS

# How many elements of one block ``realloc`` keeps in another (``elaborate.spelled_out``).
KEPT = "__argosy_kept"

PREFIX = "__builtin_"
# With ``__builtin_`` before the name as well, and only so.
_LIBRARY = """abs labs llabs isalpha isdigit isalnum isspace isblank isupper islower ispunct isprint iscntrl isxdigit
    isgraph toupper tolower ffs ffsl ffsll"""
_COMPILERS = """clz clzl clzll ctz ctzl ctzll clrsb clrsbl clrsbll popcount popcountl popcountll parity parityl parityll
    bswap16 bswap32 bswap64"""
COMPUTED = frozenset((*_LIBRARY.split(), *_COMPILERS.split()))

ROLES: dict[str, Role] = {}
for _role, _names in {
    Role.ASSUME: "__VERIFIER_assume assume_abort_if_not __CPROVER_assume __builtin_assume",
    Role.ASSERT: "assert __VERIFIER_assert __CPROVER_assert",
    Role.FAILED_ASSERT: "__assert_fail __assert_perror_fail __assert __assert_rtn __assert_func",
    Role.END: """abort exit _exit _Exit quick_exit __builtin_unreachable __builtin_trap __builtin_abort __builtin_exit
        __builtin__exit __builtin__Exit __VERIFIER_error pthread_exit thrd_exit""",
    Role.EXPECT: "__builtin_expect __builtin_expect_with_probability __builtin_assume_aligned",
    Role.NOTHING: """__builtin_va_start __builtin_va_end va_start va_end __builtin_prefetch printf fprintf vprintf
        vfprintf puts fputs
        putchar putc fputc fflush perror __VERIFIER_atomic_begin __VERIFIER_atomic_end rand srand random srandom
        getchar getc fgetc ungetc fopen fclose feof ferror fseek ftell rewind open close write fwrite sleep usleep clock
        getenv getpid printk lrand48 nrand48 mrand48 jrand48""",
    Role.INPUT: """scanf fscanf __isoc99_scanf __isoc99_fscanf __isoc99_sscanf __isoc23_scanf
        __isoc23_fscanf read pread fread fgets gets getline
        getdelim recv recvfrom time gettimeofday clock_gettime nanosleep rand_r getrandom __VERIFIER_nondet_memory
        wait waitpid pipe pipe2 stat fstat lstat getcwd gethostname uname times getrusage sysinfo poll select readlink
        accept getsockname getpeername getsockopt mkstemp clock_getres getitimer setitimer tcgetattr getrlimit fgetpos
        ttyname_r confstr tmpnam ctermid""",
    Role.RELEASE: "free kfree __builtin_free",
    Role.UNMODELLED: """div ldiv lldiv imaxdiv imaxabs strtod strtof strtold atof strtoimax strtoumax
        mempcpy memccpy bcmp index rindex rawmemchr strverscmp swab __isoc23_sscanf
        atoi atol atoll strtol strtoul strtoll strtoull strlen strcmp strncmp
        strcasecmp strncasecmp strchr strrchr strstr strcpy strncpy strcat strncat strdup memset memcpy memmove memcmp
        memchr bcopy bzero sprintf snprintf vsprintf vsnprintf sscanf malloc calloc realloc alloca kmalloc kzalloc
        aligned_alloc memalign valloc posix_memalign __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __argosy_kept
        fegetround feclearexcept feraiseexcept fetestexcept fegetexceptflag fesetexceptflag fegetenv feholdexcept
        wcslen wcscpy wcsncpy wcscat wcscmp wcsncmp wcschr wcsrchr wcsstr wmemcpy wmemset wmemcmp
        iswalpha iswdigit iswalnum iswspace iswupper iswlower iswpunct iswprint iswxdigit towupper towlower
        strerror strsignal localtime gmtime mktime asctime ctime strftime difftime system reallocarray
        stpncpy strlcpy strlcat strcasestr memmem isascii toascii htons htonl ntohs ntohl
        __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull __isoc23_strtoimax __isoc23_strtoumax
        localtime_r gmtime_r timegm timelocal asctime_r ctime_r strptime strerror_r __xpg_strerror_r
        mblen mbtowc wctomb mbstowcs wcstombs mbrlen mbrtowc wcrtomb mbsinit btowc wctob mbsrtowcs wcsrtombs
        wcstol wcstoul wcstoll wcstoull wcstod wcstof wcstold wcsnlen wcsdup wcsspn wcscspn wcspbrk wcstok wcscoll
        wcsncat wmemmove wmemchr iswblank iswcntrl iswgraph iswctype wctype towctrans wctrans
        a64l l64a ecvt fcvt gcvt ecvt_r fcvt_r drand48 erand48
        inet_addr inet_aton inet_ntoa inet_ntop inet_pton inet_network
        getopt getopt_long getopt_long_only getsubopt localeconv setlocale nl_langinfo
        sigemptyset sigfillset sigaddset sigdelset sigismember basename dirname __xpg_basename
        insque remque hcreate hsearch strfry memfrob asprintf vasprintf""",
    Role.CONTROL: """setjmp _setjmp __sigsetjmp sigsetjmp longjmp _longjmp siglongjmp __longjmp_chk __builtin_setjmp
        __builtin_longjmp getcontext setcontext makecontext swapcontext raise gsignal pthread_create fork vfork clone
        atexit on_exit at_quick_exit signal sigaction bsd_signal qsort bsearch fesetround fesetenv feupdateenv""",
}.items():
    ROLES.update(dict.fromkeys(_names.split(), _role))
ROLES.update(dict.fromkeys(UNMODELLED, Role.UNMODELLED))
ROLES.update(dict.fromkeys(FUNCTIONS, Role.MATHEMATICS))
ROLES.update(dict.fromkeys((*_LIBRARY.split(), *(PREFIX + name for name in COMPUTED)), Role.COMPUTED))

# What functions that read input, or make up numbers, give at the least and at the most (7.21.7, 7.22.2).
RANGES = {
    **dict.fromkeys(("rand", "random", "rand_r", "lrand48", "nrand48"), (0, 2**31 - 1)),
    **dict.fromkeys(("mrand48", "jrand48"), (-(2**31), 2**31 - 1)),
    **dict.fromkeys(("getchar", "getc", "fgetc"), (-1, 255)),
    **dict.fromkeys(("puts", "fputs"), (-1, 2**31 - 1)),
    **dict.fromkeys(("fclose", "fflush", "close", "fseek", "usleep"), (-1, 0)),
    **dict.fromkeys(("open", "ftell", "getline", "getdelim"), (-1, None)),
    "getpid": (1, None),
}
# Those that give the least number, or one up to what an argument says (7.21.8; POSIX): the number of the argument.
AT_MOST = {
    **dict.fromkeys(("fread", "fwrite"), (0, 2)),
    **dict.fromkeys(("read", "write", "pread", "recv", "recvfrom", "getrandom"), (-1, 2)),
    "sleep": (0, 0),
}
# Those that read a line into a block that they make larger (POSIX).
LINES = frozenset(("getline", "getdelim"))
# Those that give the character of their first argument, or EOF.
ECHOES = frozenset(("putchar", "putc", "fputc"))

_OVERFLOWS = re.compile(r"__builtin_([su]?)(add|sub|mul)(l{0,2})_overflow(_p)?")


def overflow_operator(name: str) -> tuple[str, bool] | None:
    """The operator of a builtin that tells overflows, and whether it only tells."""
    found = _OVERFLOWS.fullmatch(name)
    return None if found is None else (found[2], found[4] is not None)


def overflow_type(name: str) -> str | None:
    """The type of both operands of such a builtin, where its name says one; the others take operands of any type."""
    found = _OVERFLOWS.fullmatch(name)
    if found is None or not found[1]:
        return None
    return ("unsigned " if found[1] == "u" else "") + {"": "int", "l": "long", "ll": "long long"}[found[3]]


# Functions of the library that a program may be given instead of the real ones: they give a number, and no more.
SUPPLIED = frozenset(["rand", "random", "getchar", "getc", "fgetc", "clock", "getpid", "feof", "ferror"])

# Objects that the library defines: nobody else may.
LIBRARY_OBJECTS = frozenset(
    [
        "stdin",
        "stdout",
        "stderr",
        "environ",
        "__environ",
        "errno",
        "optarg",
        "optind",
        "opterr",
        "optopt",
        "timezone",
        "tzname",
        "daylight",
        "signgam",
        "sys_nerr",
        "sys_errlist",
        "_sys_nerr",
        "_sys_errlist",
        "program_invocation_name",
        "program_invocation_short_name",
    ]
)

# What runs the handlers of ``atexit``, where there are any, and the functions that end the program by way of it, as the
# end of main does (7.22.4.4); the last thread that ends does the same.
LEAVE = "__argosy_leave"
BEYOND = "__argosy_beyond"  # where a model in C goes no further, with the reason in words
# What may choose another way of rounding than to the nearest, which has the number 0 on x86 and ARM.
ROUNDING = frozenset(("fesetround", "fesetenv", "feupdateenv"))
OPAQUE = "__argosy_opaque_"  # before the name of a function of which a model in C does not know some value
LEAVING = frozenset(("exit", "__builtin_exit", "pthread_exit", "thrd_exit"))

# What looks like a call and is a number.
OFFSETS = frozenset(("offsetof", "__builtin_offsetof"))
IS_CONSTANT = "__builtin_constant_p"

SIGNALS = frozenset(("raise", "gsignal"))
# Signals whose default action ends the process; who changes the action is refused. Those that shells let programs
# ignore are not among them.
DEADLY = frozenset((4, 6, 8, 9, 11))

CHOICE_PREFIX = "__VERIFIER_nondet_"
# The types of choices by the end of the function's name; None is a pointer.
CHOICES: dict[str, str | None] = {
    "bool": "_Bool",
    "char": "char",
    "uchar": "unsigned char",
    "short": "short",
    "ushort": "unsigned short",
    "int": "int",
    "uint": "unsigned int",
    "unsigned": "unsigned int",
    "unsigned_int": "unsigned int",
    "long": "long",
    "ulong": "unsigned long",
    "longlong": "long long",
    "ulonglong": "unsigned long long",
    "loff_t": "long long",
    "u8": "unsigned char",
    "u16": "unsigned short",
    "u32": "unsigned int",
    "u64": "unsigned long long",
    "S8": "char",
    "U8": "unsigned char",
    "int128": "__int128",
    "uint128": "unsigned __int128",
    "pointer": None,
    "pchar": None,
    "float": "float",
    "double": "double",
}


def role(name: str) -> Role:
    """The role of a function that the text does not define."""
    found = ROLES.get(name)
    if found is not None:
        return found
    if name == BEYOND:
        return Role.BOUND
    if name.startswith(CHOICE_PREFIX):
        return Role.CHOICE
    if name.startswith(("__builtin_", "__sync_", "__atomic_", OPAQUE)):
        return Role.UNMODELLED
    return Role.EXTERNAL


# Which argument is a format; behind it each pointer leads to one number, or to characters.
FORMAT_AT = {
    "printf": 0,
    "fprintf": 1,
    "vprintf": 0,
    "vfprintf": 1,
    "scanf": 0,
    "fscanf": 1,
    "__isoc99_scanf": 0,
    "__isoc99_fscanf": 1,
    "__isoc99_sscanf": 1,
    "__isoc23_scanf": 0,
    "__isoc23_fscanf": 1,
}
_OUTPUT = frozenset(("printf", "fprintf", "vprintf", "vfprintf"))
_COUNT = re.compile(r"%[-+ #0-9.*'hljztLq]*n")


def writes_count(name: str, given: int, form: str | None) -> bool:
    """Whether output may write the number of characters so far: by ``%n``, or by a format that is not in the text.
    ``given`` is the number of arguments."""
    if name not in _OUTPUT or given < FORMAT_AT[name] + 2:
        return False
    return form is None or _COUNT.search(form) is not None


def reach_of(reach: ForeignReach, name: str) -> ForeignReach:
    """What a function that no table knows may change. The one that is the error is not expected to return."""
    return ForeignReach.PURE if name in ERRORS else reach
