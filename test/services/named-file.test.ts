import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createKey, formatKeyFile, hashOf, parseKeyFile } from '../../services/callers/key-file.ts'
import { openNamedFile } from '../../services/named-file.ts'
import { temporaryFolder } from '../helpers/app.ts'
import { keepingLog } from '../helpers/keeping-log.ts'
import { type Test, test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'

/** A file of API keys that was already read. */
function keyFile(t: Test) {
  const path = join(temporaryFolder(t), 'keys.json')
  const keys = [{ hash: hashOf(createKey()), createdAt: new Date().toISOString() }]
  const write = (...names: string[]) =>
    writeFileSync(path, formatKeyFile(names.map(name => ({ name, scopes: ['read'], keys }))))
  write('first')
  const file = openNamedFile({
    variable: 'SERVICE_API_KEYS_FILE',
    path,
    content: 'API keys',
    expected: 'a file of keys',
    parse: parseKeyFile
  })
  return { file, write }
}

test('a change between the first reading of a file and its watch is noticed', async t => {
  const { file, write } = keyFile(t)
  write('changed')
  t.teardown(file.follow(keepingLog().log, () => {}))
  await until(() => file.current()[0]?.name === 'changed', 'the change is read')
})

test('the log has what is wrong with a changed file', async t => {
  const { file, write } = keyFile(t)
  const { log, entries } = keepingLog()
  t.teardown(file.follow(log, () => {}))
  write('twice', 'twice')
  await until(() => entries.length > 0, 'the log has a line')
  t.strictSame(entries, [
    {
      level: 'error',
      fields: {
        problems: [
          'SERVICE_API_KEYS_FILE points to a file that has the name twice twice; expected a file of keys'
        ]
      },
      message: 'the file of API keys is invalid; keeping the previous API keys'
    }
  ])
  t.equal(file.current()[0]?.name, 'first')
})
