proflogincludedir = $(includedir)/proflog
dist_profloginclude_HEADERS = \
	include/proflog/mlpd.h \
	include/proflog/mlpd-encode.h \
	include/proflog/mlpd-events.def \
	include/proflog/mlpd-headers.def \
	include/proflog/mlpd-reader.h \
	include/proflog/mlpd-values.def \
	include/proflog/module-options.def \
	include/proflog/module-options.h

