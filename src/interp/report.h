/* interp/report.h -- reports of defects: who, where, message.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_REPORT_H
#define HD_INTERP_REPORT_H

#include "check/check.h"
#include "interp/eval.h"

/* "buffer 0, 64 bytes, argument 1 'out'" */
void hd_report_region(const HdEval *e, const HdRegion *r, HdStrbuf *out);
/* What the source calls a function; NULL. */
const char *hd_report_function(const HdModule *m, HdId id);
/* What the source calls a variable; NULL. */
#define HD_REPORT_NAME 128u
const char *hd_report_variable(const HdEval *e, HdId id, char room[HD_REPORT_NAME]);
/* What a path into a variable begins with: its name, nothing for a block of GLSL whose members are
 * named alone, "%12" where nothing has a name. */
const char *hd_report_base(const HdEval *e, HdId id, char room[HD_REPORT_NAME]);
/* The same of a place in it. Of a shader's variables that is the member and its indexes. */
const char *hd_report_member(const HdEval *e, HdId id, uint64_t address, uint64_t bytes,
                             char room[HD_REPORT_NAME]);
/* report_path.c: what a shader's pointer goes through, with the values of a lane's indexes; NULL:
 * that is not known. */
const char *hd_report_path(HdEval *e, HdId pointer, unsigned lane, char room[HD_REPORT_NAME]);
HdStatus hd_report(HdEval *e, HdSeverity severity, uint64_t lanes, const char *rule,
                   const char *hint, const char *message, HdDefect *d);
void hd_report_place(const HdEval *e, const HdInst *in, HdDefectPlace *p, HdStrbuf *inst);
void hd_report_item(const HdEval *e, uint64_t group, uint64_t item, HdDefectItem *to);
const HdInst *hd_report_inst(const HdEval *e, uint32_t number);
/* A defect if the host reads these bytes. */
void hd_report_spoiled(HdEval *e, uint64_t lanes, uint64_t at, uint64_t bytes, HdDefect *d);

#endif
