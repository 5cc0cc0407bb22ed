#!/bin/sh
# findings/erlang-cl-long-names.sh -- Erlang's binding gets no extensions at all from drivers whose names take more than 1,024 bytes.
#
# erlang-cl 1.2.4 (Debian 12) with intel-opencl-rt 2026.2.0 (PyPI), whose list takes 1,321 bytes: cl:get_device_info(Device,
# extensions) gives {error, invalid_value}, and cl:get_device_info(Device) leaves the item out, with a line on standard output. The
# binding asks once, with a room of 1,024 bytes, without the size first; a driver answers such a call with CL_INVALID_VALUE, as
# OpenCL says. A program that looks for cl_khr_fp64 in the list takes the device for one without doubles.
# Seen on 29 November 2026.
#
# Expected: the list, of any length. Ends with 1 if what is seen changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/pypi.sh"
install intel-opencl-rt==2026.2.0 intel-cmplr-lib-rt==2026.2.0
echo "$folder/env/lib/libintelocl.so" >intel.icd
erlang=1:25.2.3+dfsg-1+deb12u4
unpack "erlang-base=$erlang" erlang-cl=1.2.4-1+b1 ocl-icd-libopencl1=2.3.1-1
cat >names.erl <<'E'
-module(names).
-export([main/0]).
main() ->
    {ok, [Platform | _]} = cl:get_platform_ids(),
    {ok, [Device | _]} = cl:get_device_ids(Platform, all),
    io:format("version ~p~n", [cl:get_device_info(Device, driver_version)]),
    io:format("extensions ~p~n", [cl:get_device_info(Device, extensions)]),
    {ok, Items} = cl:get_device_info(Device),
    io:format("item ~p~n", [lists:keymember(extensions, 1, Items)]),
    halt().
E
ERL_ROOTDIR=$folder/root/usr/lib/erlang
export ERL_ROOTDIR
"$ERL_ROOTDIR/bin/erlc" names.erl
OCL_ICD_VENDORS=$folder/intel.icd "$ERL_ROOTDIR/bin/erl" -noshell -s names main | tee seen
expect seen '^version {ok,' '^extensions {error,invalid_value}' '^item false'
