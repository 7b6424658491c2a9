"""What stands behind `import houseway as hw`: a function for each task, for programs and for the command line alike.

`houseway.__all__` lists the names that are public; a test pins them with their signatures. Everything else in the
package is internal. Each module is loaded when one of its names is first used, and in turn loads what its functions
need when they are called, so that `import houseway` stays quick.
"""
