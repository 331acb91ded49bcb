/* scan-bmi2.h -- SCAN_BMI2: whether instructions can be turned on for a part of the program. */
#ifndef PROFLOG_SCAN_BMI2_H
#define PROFLOG_SCAN_BMI2_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SCAN_BMI2
#endif

#endif
