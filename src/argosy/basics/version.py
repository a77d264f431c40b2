"""The version of this package; the build reads it here."""

VERSION = "0.2.0"
