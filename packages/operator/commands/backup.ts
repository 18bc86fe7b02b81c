import { readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'

export const backup: Command = {
  arguments: 'FILE',
  summary: 'copies the embedded store to a new file, while servers run',
  details: `  FILE  must not exist; only its owner can read it
The copy is checked before it gets its name. If the disk is full, nothing is left of it. To restore it, follow the
procedure in docs/procedures.md.`,
  async run(argv, context) {
    const { argument: file } = readArguments(argv, {}, 'FILE')
    const bytes = context.backUp(file)
    context.report({ file, bytes }, `Copied the store to ${file} (${bytes} bytes).`)
    return 0
  }
}
