/* report.c -- which sections the reports of Mono logs have. */
#include "config.h"

#include "decoder/views/mlpd/report.h"

const struct section *const report_sections[] = {
#define SECTION(name, report, info, stats) SECTION_IF_##report (section_##name)
#include "decoder/views/mlpd/sections.def"
  NULL,
};

const struct section *const info_sections[] = {
#define SECTION(name, report, info, stats) SECTION_IF_##info (section_##name)
#include "decoder/views/mlpd/sections.def"
  NULL,
};

const struct section *const stats_sections[] = {
#define SECTION(name, report, info, stats) SECTION_IF_##stats (section_##name)
#include "decoder/views/mlpd/sections.def"
  NULL,
};
