"""The workbench in the browser (``argosy ui``): a small server on this machine, and the page that it serves."""
