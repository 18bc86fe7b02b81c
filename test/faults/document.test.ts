import { read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'

test('every command in docs/exactly-once.md refers to an existing test', async t => {
  const commands = [...read('docs/exactly-once.md').matchAll(/npx tap ((?:-g "[^"]+" )*).*?(\S+\.test\.ts)/g)]
  t.ok(commands.length > 30)
  for (const [command, patterns = '', path = ''] of commands) {
    // Some titles are built from parts, so any string literal in the file counts.
    const texts = String(read(path).match(/'[^'\n]*'|`[^`\n]*`/g))
    for (const [, pattern = ''] of patterns.matchAll(/-g "([^"]+)"/g)) {
      // `POINT` is a placeholder for a crash point in the table.
      if (pattern !== 'POINT') t.ok(texts.includes(pattern), command)
    }
  }
})
