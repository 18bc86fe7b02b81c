import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { temporaryFolder } from '../../helpers/app.ts'
import { read } from '../../helpers/repository.ts'
import { test } from '../../helpers/tap.ts'
import { configOf, stopSeconds } from './manifests.ts'

const name = 'transaction-back-end.service'
const unit = read(`deploy/systemd/${name}`)

/**
 * Maximum exposure level for systemd-analyze, from 0 to 100: ten times the level that it reports. Many distribution
 * units have a level of 95.
 */
const MOST_EXPOSURE = 13

const settings = (key: string) =>
  [...unit.replaceAll(/\\\n\s*/g, '').matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(
    ([, value = '']) => value
  )

function analyze(path: string, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...words, path], { encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

test('systemd accepts the unit and rates it as hardened', async t => {
  const path = join(temporaryFolder(t), name)
  writeFileSync(path, unit.replace('/usr/bin/node', process.execPath))
  t.strictSame(analyze(path, 'verify', '--recursive-errors=no'), { status: 0, output: '' })
  const security = analyze(path, 'security', '--offline=true', '--no-pager', `--threshold=${MOST_EXPOSURE}`)
  t.comment(/Overall.*/.exec(security.output)?.[0])
  t.equal(security.status, 0)

  writeFileSync(path, unit.replace('ProtectSystem=strict', 'ProtectSystem=strictly'))
  t.match(
    analyze(path, 'verify', '--recursive-errors=no').output,
    /protect system value/,
    'systemd reports an invalid unit'
  )
})

test('the unit starts the server as `npm start` does and gives it enough time to stop', async t => {
  const { scripts } = JSON.parse(read('package.json'))
  const [start = ''] = settings('ExecStart')
  t.match(start, /^\/usr\/bin\/env ([A-Z_]+=\S+ )+\/usr\/bin\/node /)
  t.ok(start.endsWith(` /usr/bin/${scripts.start}`), start)
  const [stop = ''] = settings('TimeoutStopSec')
  t.ok(Number.parseInt(stop, 10) > stopSeconds())
})

test('settings.env cannot override the unit’s settings and secrets', async t => {
  // The unit must not use Environment=, because EnvironmentFile= overrides it (systemd.exec(5)).
  t.strictSame(settings('Environment'), [])
  const [start = ''] = settings('ExecStart')
  const own = Object.fromEntries(
    [...start.matchAll(/ ([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value])
  )
  for (const file of ['deploy/kubernetes/common/settings.env', '.env.sample']) {
    const { config } = configOf(t, { ...parseEnv(read(file)), ...own })
    t.match(config, { NODE_ENV: 'production', SERVICE_DATA_DIR: '%S/transaction-back-end' })
  }
  t.strictSame(
    settings('LoadCredential').map(text => `%d/${text.split(':')[0]}`),
    Object.entries(own).flatMap(([name, value]) => (name.endsWith('_FILE') ? [value] : []))
  )
})
