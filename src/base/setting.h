/* Names of settings, for messages of the layers below run/ and cli/. A setting has the name by
 * which the caller knows it: a member of a struct of apsp.h, or an option of the command. */
#ifndef SETTING_H
#define SETTING_H

/* Each setting, and its name for callers of the library; a plain word, if the library does not have
 * it. The names for callers of the commands are in cli/settings.c. */
#define SETTINGS(ROW)                                                                              \
    ROW(ACCESS, "access")                                                                          \
    ROW(ACCESS_NEAREST, "access.share")                                                            \
    ROW(BETWEENNESS, "betweenness")                                                                \
    ROW(CLOSURE, "closure")                                                                        \
    ROW(COLUMNS, "reading.columns")                                                                \
    ROW(COUNT_EXACT, "APSP_STATS_EXACT")                                                           \
    ROW(COUNT_HARMONIC, "APSP_STATS_HARMONIC")                                                     \
    ROW(CUTOFFS, "cutoffs")                                                                        \
    ROW(DECAYS, "access.decay")                                                                    \
    ROW(DEVICE_CPU, "APSP_DEVICE_CPU")                                                             \
    ROW(DIAMETER, "diameter")                                                                      \
    ROW(DIAMETER_ALONE, "diameter alone")                                                          \
    ROW(DIRECTED, "reading.directed")                                                              \
    ROW(DISTANCES, "distances")                                                                    \
    ROW(FEWER_ROWS, "options.rows")                                                                \
    ROW(FORCE, "force")                                                                            \
    ROW(FORMAT, "reading.format")                                                                  \
    ROW(ISOCHRONES, "isochrones")                                                                  \
    ROW(LABEL_KEY, "reading.label_key")                                                            \
    ROW(LARGEST_COMPONENT, "reading.largest_component")                                            \
    ROW(METHOD, "options.method")                                                                  \
    ROW(NEAREST, "nearest")                                                                        \
    ROW(NO_EDGE, "no_edge")                                                                        \
    ROW(ONEWAY, "reading.oneway")                                                                  \
    ROW(ORDER, "options.order")                                                                    \
    ROW(OUTPUT, "options.output")                                                                  \
    ROW(PARALLEL, "reading.parallel")                                                              \
    ROW(PATH_COUNTS, "path_counts")                                                                \
    ROW(PATHS, "options.paths")                                                                    \
    ROW(PREDECESSORS, "predecessors")                                                              \
    ROW(RESUME, "resume")                                                                          \
    ROW(SCALE, "scale")                                                                            \
    ROW(SHARE_GPUS, "options.share_gpus")                                                          \
    ROW(SKIM, "skims")                                                                             \
    ROW(SORT_NAMES, "reading.sort_names")                                                          \
    ROW(SOURCES, "sources")                                                                        \
    ROW(STATS, "stats")                                                                            \
    ROW(STRESS, "APSP_STRESS")                                                                     \
    ROW(SUMS, "options.sums")                                                                      \
    ROW(SUMS_PATH, "options.sums path")                                                            \
    ROW(TARGETS, "targets")                                                                        \
    ROW(THROUGH_WITHIN, "paths.within")                                                            \
    ROW(TILE, "options.tile")                                                                      \
    ROW(TRANSPORT, "options.transport")                                                            \
    ROW(TYPE, "options.type")                                                                      \
    ROW(UNDIRECTED, "reading.undirected")                                                          \
    ROW(UNREACHABLE, "unreachable")                                                                \
    ROW(UNWEIGHTED, "reading.unweighted")                                                          \
    ROW(WEIGHT_KEY, "reading.weight_key")                                                          \
    ROW(WITHIN, "within")                                                                          \
    ROW(WRITE_RETRY, "write_retry")

#define SETTING_ENTRY(id, name) SETTING_##id,
enum setting { SETTINGS(SETTING_ENTRY) SETTING_END };
#undef SETTING_ENTRY

const char *setting_name(enum setting setting);
#define SETTING(id) setting_name(SETTING_##id)

/* Gives all settings other names, for the rest of the process: names[SETTING_END], which stay. To
 * be called before there are threads. */
void setting_rename(const char *const *names);

#endif
