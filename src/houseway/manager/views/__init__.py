"""What others see of the floor: frozen, typed views of a snapshot, each with a JSON schema.

Nothing of an entity is in a view that is not named there: no fingerprint, no secret, no hidden card. Amounts carry
their unit in the name of their field.
"""
