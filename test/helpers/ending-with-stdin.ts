/** Its stdin is a pipe from the process that started it, and closes with that. */
const SCRIPT =
  'exec 3<&0; "$@" & child=$!; { cat >/dev/null; kill -QUIT $child; } <&3 >/dev/null 2>&1 & wait $child'

/**
 * Arguments of `sh` that run a program and end it with SIGQUIT when stdin closes. So it ends with its parent, also when
 * that is killed and tears nothing down.
 */
export function endingWithStdin(program: string, ...programArguments: string[]): string[] {
  return ['-c', SCRIPT, 'sh', program, ...programArguments]
}
