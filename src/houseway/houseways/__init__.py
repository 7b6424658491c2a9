"""House ways: how a dealer must set a hand, as data, and the interpreter that names the rule it used."""
