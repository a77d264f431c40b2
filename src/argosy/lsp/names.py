"""The commands of the server, as an editor calls them; the argument of each is the address of a document."""

VERIFY = "argosy.verify"
CANCEL = "argosy.cancel"
