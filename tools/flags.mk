# Flags that single files need: kernels' run-time code is built for several instruction sets.
