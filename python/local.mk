# The Python module, by ctypes on libproflog: PYTHONPATH names its folder, or packages put it where Python looks.
pythonmoduledir = $(datadir)/proflog/python
dist_pythonmodule_DATA = python/proflog.py python/proflog.pyi
