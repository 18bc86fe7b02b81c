import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openNamedFile } from '../../services/named-file.ts'
import { temporaryFolder } from '../helpers/app.ts'
import { keepingLog } from '../helpers/keeping-log.ts'
import { test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'

test('detects a change between the first read of a file and the start of the watch, and one that keeps the size', async t => {
  const folder = temporaryFolder(t)
  const [path, other] = [join(folder, 'list'), join(folder, 'other')]
  for (const each of [path, other]) writeFileSync(each, 'first')
  const parse = (text: string) => [text]
  const open = (path: string) =>
    openNamedFile({ variable: 'LIST', path, content: 'words', expected: 'a list', parse })
  // Looks before the watch of the changed file does.
  t.teardown(open(other).follow(keepingLog().log, () => t.fail('an unchanged file is not reloaded')))
  const file = open(path)
  writeFileSync(path, 'changed')
  t.teardown(file.follow(keepingLog().log, () => {}))
  await until(() => file.current()[0] === 'changed', 'the changed file is read')
  writeFileSync(path, 'another')
  await until(() => file.current()[0] === 'another', 'the file of the same size is read')
})
