import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { temporaryFolder } from '../../helpers/app.ts'
import { filesOf, read, root } from '../../helpers/repository.ts'
import { test } from '../../helpers/tap.ts'

test('the files of compose and Kubernetes are valid YAML', async t => {
  const paths = filesOf('compose.yaml', 'deploy/*.yaml')
  t.ok(paths.length > 5)
  for (const path of paths) {
    for (const { errors } of parseAllDocuments(read(path), { merge: true })) t.strictSame(errors, [], path)
  }
})

test('Prometheus accepts its configuration', async t => {
  const path = join(root, 'deploy/ops/prometheus/prometheus.yml')
  t.equal(spawnSync('promtool', ['check', 'config', path]).status, 0)
})

test('systemd accepts the unit', async t => {
  const name = 'transaction-back-end.service'
  const path = join(temporaryFolder(t), name)
  writeFileSync(path, read(`deploy/systemd/${name}`).replace('/usr/bin/node', process.execPath))
  const words = ['verify', '--recursive-errors=no', path]
  const { stdout, stderr } = spawnSync('systemd-analyze', words, { encoding: 'utf8' })
  t.equal(stdout + stderr, '')
})
