import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readEnvFile } from '../../config/env-file.ts'
import { ConfigError } from '../../services/config-error.ts'
import { temporaryFolder } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

const NEITHER = 'is neither empty, a comment nor NAME=value;'

const accepted: [content: string, values: Record<string, string>][] = [
  ['\ufeff# comment\nA=hidden', { A: 'hidden' }],
  ['\ufeffA=1\nB=2', { A: '1', B: '2' }],
  ['A=1\r\n\r\n# comment\r\nB="2"\r\n', { A: '1', B: '2' }],
  ['\n \n\t\n  # comment\n\t# comment\n B=2', { B: '2' }],
  ['export A=1\n  export B = 2', { A: '1', B: '2' }],
  ['A= 1 # comment\nB="a # b" # c\nC=\'{"#":1}\'', { A: '1 ', B: 'a # b', C: '{"#":1}' }],
  ['A="1\n2\\n3"\nB=`4\n5`\nC=\'\\n\'', { A: '1\n2\n3', B: '4\n5', C: '\\n' }],
  ['A=\nB= # comment\nC=""\nD=x"y=z', { A: '', B: '', C: '', D: 'x"y=z' }]
]

const refused: [content: string | Buffer, problem: string][] = [
  ['hidden\nCOMPLIANCE_URL=https://a.example', `1 ${NEITHER}`],
  ['A=1\n---\nB=2', `2 ${NEITHER}`],
  ['export\tA=1', `1 ${NEITHER}`],
  ['export  A=1', `1 ${NEITHER}`],
  ['\tA=1', `1 ${NEITHER}`],
  ['\u00a0A=1', `1 ${NEITHER}`],
  ['A=1\n\ufeffB=2', `2 ${NEITHER}`],
  ['A-B=1', `1 ${NEITHER}`],
  ['=hidden', `1 ${NEITHER}`],
  ['A=1\r\n\r\nA', `3 ${NEITHER}`],
  ['KYC_API_KEY=hid#den', `1 ${NEITHER}`],
  ['A="1"hidden', `1 ${NEITHER}`],
  ['# comment\nA="hidden\nCOMPLIANCE_URL=https://a.example', `2 ${NEITHER}`],
  ['A="hidden\nB=2\n# "', '1 has a quoted value that contains another NAME=value;'],
  ['A=1\rB=2', '1 has a control character or invalid UTF-8;'],
  [Buffer.from('# comment\nA=1', 'utf16le'), '1 has a control character or invalid UTF-8;'],
  [Buffer.from('A=1\nB=é', 'latin1'), '2 has a control character or invalid UTF-8;'],
  ['A=1\nB=2\n\nA=1', '4 sets the same variable as line 1;']
]

test('reads empty lines, comments and NAME=value, and refuses any other line', async t => {
  const path = join(temporaryFolder(t), '.env')
  /** Returns what a file with this content sets, or the problem that ends the start. */
  const read = (content: string | Buffer) => {
    writeFileSync(path, content)
    try {
      return readEnvFile(path)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      return error.problems.join('\n').replace(path, '.env')
    }
  }
  for (const [content, values] of accepted) t.strictSame(read(content), values, JSON.stringify(content))
  for (const [content, problem] of refused) {
    const actual = String(read(content))
    t.ok(actual.startsWith(`.env line ${problem} expected `), JSON.stringify(content), { actual })
    t.notMatch(actual, /hid/)
  }
})
