"""Theta's languages: control-flow automata (``.cfa``, ``.theta``), transition systems (``.sts``, ``.system``) and
statecharts (``.xsts`` with ``.prop``)."""
