proflogincludedir = $(includedir)/proflog
dist_profloginclude_HEADERS = \
	include/proflog/eventlog-classes.def \
	include/proflog/eventlog-writer.h \
	include/proflog/ghc.h \
	include/proflog/ghc-events.def \
	include/proflog/ghc-encode.h \
	include/proflog/ghc-program.h \
	include/proflog/ghc-print.h \
	include/proflog/ghc-reader.h \
	include/proflog/ghc-writer.h \
	include/proflog/ghc-units.def \
	include/proflog/log.h \
	include/proflog/ghc-values.def \
	include/proflog/mlpd.h \
	include/proflog/mlpd-encode.h \
	include/proflog/mlpd-events.def \
	include/proflog/mlpd-headers.def \
	include/proflog/mlpd-item.h \
	include/proflog/mlpd-reader.h \
	include/proflog/mlpd-values.def \
	include/proflog/mlpd-writer.h \
	include/proflog/module-options.def \
	include/proflog/module-options.h \
	include/proflog/program.h \
	include/proflog/read.h \
	include/proflog/units.h

# Not installed: what the module and the decoder share.
noinst_HEADERS = \
	include/proflog/control.h \
	include/proflog/big-endian.h \
	include/proflog/content-sum.h \
	include/proflog/ghc-walk.h \
	include/proflog/memory-parts.h \
	include/proflog/mlpd-walk.h \
	include/proflog/mono-eventlog.def \
	include/proflog/nearest-name.h \
	include/proflog/option-names.h \
	include/proflog/spool.h
