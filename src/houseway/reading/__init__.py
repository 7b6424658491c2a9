"""One reader of all input: rounds, settings, definitions, pay tables, house ways, clauses, arguments, commands.

`faults` collects what is wrong and has the checks of single values, `places` says where a value stands, `codes` which
fault codes a kind of input has, `fields` takes typed values out of an object or a table, `files` finds lines of TOML,
and `described` holds plain data against the description of a type. What only one kind of input can check stays with it.
"""
