import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '../../helpers/tap.ts'

const rules = join(import.meta.dirname, '../../../deploy/ops/prometheus/alerts.yml')
const cases = join(import.meta.dirname, 'alerts.yml')

const promtool = (...words: string[]) => execFileSync('promtool', words, { encoding: 'utf8', stdio: 'pipe' })

test('promtool accepts the rules', async t => {
  t.match(promtool('check', 'rules', rules), /SUCCESS/)
})

test('each alert fires when it should, and not earlier', async t => {
  t.match(promtool('test', 'rules', cases), /SUCCESS/)
  const names = readFileSync(rules, 'utf8').match(/(?<=- alert: )\w+/g)
  const tested = readFileSync(cases, 'utf8').match(/(?<=- name: )\w+/g)
  t.strictSame(tested, names)
})
