# ffmpeg's OpenCL filters, beside its own ones for the processor where there is a filter of both kinds.
# SPDX-License-Identifier: MIT
ffmpeg -hide_banner -filters 2> /dev/null | grep -q avgblur_opencl || { echo 'no ffmpeg with OpenCL (Debian: ffmpeg)'; exit 77; }
tool() { ffmpeg -hide_banner -y -init_hw_device opencl=cl:0.0 -filter_hw_device cl "$@" < /dev/null > log 2>&1 || { tail -20 log; exit 1; }; }
tool -f lavfi -i testsrc2=s=160x120:d=0.3:r=10 -pix_fmt yuv420p in.nut
# FORMAT CL-FILTER [PROCESSOR-FILTER LEAST-PSNR]
pair() {
    if [ -z "$3" ]; then
        tool -i in.nut -vf "format=$1,hwupload,$2,hwdownload,format=$1" -f null -
        return
    fi
    tool -i in.nut -filter_complex "format=$1,split[a][b];[a]hwupload,$2,hwdownload,format=$1[x];[b]$3[y];[x][y]psnr=f=psnr.log" -f null -
    awk -v least="$4" '{ for (i = 1; i <= NF; i++) if ($i ~ /^psnr_avg:/) { v = substr($i, 10); if (v != "inf" && v + 0 < least) bad = v } }
                       END { if (NR == 0 || bad != "") { print NR " frames, psnr " bad; exit 1 } }' psnr.log || { echo "$2 beside $3"; exit 1; }
}
pair yuv420p erosion_opencl erosion 99
pair yuv420p dilation_opencl dilation 99
pair yuv420p transpose_opencl=1 transpose=1 99
pair yuv420p "convolution_opencl=0 -1 0 -1 5 -1 0 -1 0" "convolution=0 -1 0 -1 5 -1 0 -1 0" 30
pair yuv420p avgblur_opencl=3 avgblur=3 30
pair yuv420p sobel_opencl sobel 20 # borders differ
if [ -n "$CLIENTS_FULL" ]; then
    pair yuv420p prewitt_opencl prewitt 20
    pair yuv420p roberts_opencl roberts 20
    pair yuv420p unsharp_opencl=la=2 unsharp=la=2 30
    pair rgba colorkey_opencl=red:0.3:0.1 # takes other colours than the filter for the processor
    pair yuv420p boxblur_opencl=2:1
    pair yuv420p nlmeans_opencl=s=3:p=3:r=5
    pair yuv420p deshake_opencl
fi
