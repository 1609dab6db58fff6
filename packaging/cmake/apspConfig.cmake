# find_package(apsp) makes the target apsp::apsp, the shared library with its header.
if(NOT TARGET apsp::apsp)
    add_library(apsp::apsp SHARED IMPORTED)
    set_target_properties(apsp::apsp PROPERTIES
        IMPORTED_LOCATION "@LIBDIR@/libapsp.so.@VERSION@"
        IMPORTED_SONAME "@SONAME@"
        INTERFACE_INCLUDE_DIRECTORIES "@PREFIX@/include")
endif()
