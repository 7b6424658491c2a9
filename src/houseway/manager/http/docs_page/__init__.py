"""The interactive description of the API: Swagger UI 5.34.1 as its authors ship it, packed, with its licences."""
