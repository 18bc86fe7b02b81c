# Runs the given command with every fsync and fdatasync failing with EIO, as on a broken disk.
# Uses a seccomp filter: needs Linux on x86-64 or ARM, but no privileges.
use strict;
use warnings;

my ($prctl, @flushes) = `uname -m` =~ /aarch64/ ? (167, 82, 83) : (157, 74, 75);
my @filter = (
    [0x20, 0, 0, 0],              # load the number of the system call
    [0x15, 1, 0, $flushes[0]],    # fsync
    [0x15, 0, 1, $flushes[1]],    # fdatasync
    [0x06, 0, 0, 0x00050005],     # fail with EIO
    [0x06, 0, 0, 0x7fff0000],     # allow
);
my $code = join '', map { pack 'SCCL', @$_ } @filter;
my $program = pack 'S x6 P', scalar @filter, $code;
syscall($prctl, 38, 1, 0, 0, 0) == 0 or die "no_new_privs: $!";
syscall($prctl, 22, 2, $program) == 0 or die "seccomp: $!";
exec @ARGV or die "exec: $!";
