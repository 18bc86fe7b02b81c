/** Stops the program when stdin closes. Stdin is a pipe from the parent process, which closes when the parent exits. */
const SCRIPT =
  'signal=$1; shift; exec 3<&0; "$@" & child=$!; { cat >/dev/null; kill -$signal $child; } <&3 >/dev/null 2>&1 & wait $child 2>/dev/null'

/**
 * Returns arguments for `sh` that run a program and send it a signal when stdin closes. The program then exits with its
 * parent, even if the parent is killed and skips its teardown. The program must not rely on the default action of SIGQUIT,
 * which the shell disables.
 */
export const endingWithStdin = (signal: 'KILL' | 'QUIT', ...command: string[]): string[] => {
  return ['-c', SCRIPT, 'sh', signal, ...command]
}
