"""One reader of all input: rounds, settings, definitions, pay tables, house ways, clauses, arguments, commands.

`faults` collects what is wrong and has the checks of single values, `places` says where a value stands, `codes` which
fault codes a kind of input has. `fields` takes typed values out of a table, `toml_files` finds the lines of a file,
and `described` walks what the decoder of commands refused along the description of its type.
What only one kind of input can check stays with it.
"""
