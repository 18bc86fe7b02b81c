/** Stdin is a pipe from the parent process and closes when that ends. */
const SCRIPT =
  'exec 3<&0; "$@" & child=$!; { cat >/dev/null; kill -QUIT $child; } <&3 >/dev/null 2>&1 & wait $child'

/**
 * Arguments for `sh` that run a program and send it SIGQUIT when stdin closes. It then ends with its parent, even if that
 * is killed and skips its teardown.
 */
export function endingWithStdin(program: string, ...programArguments: string[]): string[] {
  return ['-c', SCRIPT, 'sh', program, ...programArguments]
}
