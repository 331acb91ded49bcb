# The command, end to end.
cli_tests = \
	tests/cli/test-cli-anonymize.sh \
	tests/cli/test-cli-check.sh \
	tests/cli/test-cli-cut.sh \
	tests/cli/test-cli-damage.sh \
	tests/cli/test-cli-dump-order.sh \
	tests/cli/test-cli-eventlog.sh \
	tests/cli/test-cli-export.sh \
	tests/cli/test-cli-follow.sh \
	tests/cli/test-cli-formats.sh \
	tests/cli/test-cli-heap.sh \
	tests/cli/test-cli-input.sh \
	tests/cli/test-cli-json.sh \
	tests/cli/test-cli-man.sh \
	tests/cli/test-cli-merge.sh \
	tests/cli/test-cli-objects.sh \
	tests/cli/test-cli-options.sh \
	tests/cli/test-cli-output.sh \
	tests/cli/test-cli-parts.sh \
	tests/cli/test-cli-progress.sh \
	tests/cli/test-cli-repair-mono.sh \
	tests/cli/test-cli-repair.sh \
	tests/cli/test-cli-selection.sh \
	tests/cli/test-cli-serve.sh \
	tests/cli/test-cli-show.sh \
	tests/cli/test-cli-show-references.sh \
	tests/cli/test-cli-top.sh \
	tests/cli/test-cli-traces.sh \
	tests/cli/test-cli-validate.sh \
	tests/cli/test-example-eventlog.sh
TESTS += $(cli_tests)
EXTRA_DIST += $(cli_tests) tests/cli/eventlog-lines.sh tests/cli/lib.sh

check_PROGRAMS += tests/cli/breaking-peer
tests_cli_breaking_peer_SOURCES = tests/cli/breaking-peer.c

check_PROGRAMS += tests/cli/eventlog-socket-peer
tests_cli_eventlog_socket_peer_SOURCES = tests/cli/eventlog-socket-peer.c
TESTS += tests/cli/test-cli-fetch.sh
EXTRA_DIST += tests/cli/test-cli-fetch.sh
