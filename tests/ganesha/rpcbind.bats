#!/usr/bin/env bats
# Ports found by asking a real port mapper. Run by `with-ganesha --rpcbind bats ...`, in its network namespace.
load ../cli/common

@test "ports are found, TCP and UDP" {
    nhfs 0 -q -l 100 -t 0.3 -w 0 --files 10 127.0.0.1:/export
    nhfs 0 -q -l 100 -t 0.3 -w 0 --files 10 --proto udp 127.0.0.1:/export
    nhfs 0 -q -l 100 -t 0.3 -w 0 -m fsstat localhost:/export
}

@test "one port given, the other found" {
    nhfs 0 -q -l 100 -t 0.3 -w 0 -m fsstat --port "$GANESHA_NFS_PORT" 127.0.0.1:/export
    nhfs 0 -q -l 100 -t 0.3 -w 0 -m fsstat --mountport "$GANESHA_MOUNT_PORT" 127.0.0.1:/export
}

@test "IPv6: universal addresses" {
    grep -q '^0*1 ' /proc/net/if_inet6 || skip "no ::1 in this namespace"
    timeout 1 bash -c '>/dev/tcp/::1/111' || skip "the port mapper does not listen on ::1"
    nhfs 0 -q -l 100 -t 0.3 -w 0 -m fsstat '[::1]:/export'
}

@test "a program that is not registered" {
    kill -STOP "$GANESHA_PID"
    # The port mapper answers, the server does not: the run ends by its own limits.
    nhfs 3 -q -l 100 --timeout 100ms --retrans 1 127.0.0.1:/export
    one_line 127.0.0.1 "no answer"
    kill -CONT "$GANESHA_PID"
}
