# The apps of ML-KEM.
set(GIRIH_KEM_SET 768 CACHE STRING "ML-KEM parameter set of the apps: 512, 768, 1024")
set(GIRIH_KEM_MODE default CACHE STRING "Memory mode of the apps: default (from bytes), prepared, or a union of cached-a, cached-h, parsed: cached-a-h-parsed")

# A mode's name as the caches of its objects.
set(kem_caches 0)
foreach(pair "-a(-|$):1" "-h(-|$):2" "parsed$:4")
    string(REGEX REPLACE ":.*" "" word "${pair}")
    string(REGEX REPLACE ".*:" "" bit "${pair}")
    if(GIRIH_KEM_MODE MATCHES "${word}")
        math(EXPR kem_caches "${kem_caches} + ${bit}")
    endif()
endforeach()
if(GIRIH_KEM_MODE STREQUAL default)
    set(kem_mode apps/modes/mlkem_bytes.c)
else()
    set(kem_mode apps/modes/mlkem_objects.c)
endif()

function(girih_kem_app name)
    cmake_parse_arguments(PARSE_ARGV 1 app "" "" "DEFINES;SOURCES")
    girih_app(${name} SOURCES ${app_SOURCES} apps/common/kem_take.c ${kem_mode}
        DEFINES ${app_DEFINES} APP_KEM_SET=${GIRIH_KEM_SET} APP_KEM_MODE="${GIRIH_KEM_MODE}" APP_CACHES=${kem_caches})
endfunction()

girih_kem_app(mlkem_speed SOURCES apps/mlkem_speed.c)
foreach(op keygen load encaps decaps all)
    string(TOUPPER ${op} OP)
    girih_kem_app(mlkem_size_${op} SOURCES apps/mlkem_size.c DEFINES SIZE_${OP})
endforeach()
girih_app(mlkem_size_none SOURCES apps/size.c)
girih_app(mlkem_size_hash SOURCES apps/size.c DEFINES SIZE_HASH)
girih_kem_app(mlkem_vectors SOURCES apps/mlkem_vectors.c apps/common/records.c)
