/** Stdin is a pipe from the parent process, which closes when the parent exits. */
const SCRIPT =
  'exec 3<&0; "$@" & child=$!; { cat >/dev/null; kill -QUIT $child; } <&3 >/dev/null 2>&1 & wait $child'

/**
 * Returns arguments for `sh` that run a program and send it SIGQUIT when stdin closes. The program then exits with its
 * parent, even if the parent is killed and skips its teardown.
 */
export function endingWithStdin(program: string, ...programArguments: string[]): string[] {
  return ['-c', SCRIPT, 'sh', program, ...programArguments]
}
