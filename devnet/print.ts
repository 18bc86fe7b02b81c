/** A line of command-line output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
