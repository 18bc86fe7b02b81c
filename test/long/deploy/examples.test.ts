import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { temporaryFolder } from '../../helpers/app.ts'
import { filesOf, read, root } from '../../helpers/repository.ts'
import { test } from '../../helpers/tap.ts'

const pathOf = (path: string) => join(root, path)

test('the files of compose and Kubernetes are valid YAML', async t => {
  const paths = filesOf('compose.yaml', 'deploy/*.yaml')
  t.ok(paths.length > 5)
  for (const path of paths) {
    const documents = parseAllDocuments(read(path), { merge: true })
    for (const { errors } of documents) t.strictSame(errors, [], path)
  }
})

test('Prometheus accepts its configuration', async t => {
  const path = pathOf('deploy/ops/prometheus/prometheus.yml')
  t.equal(spawnSync('promtool', ['check', 'config', path]).status, 0)
})

test('systemd accepts the unit, and reports an invalid one', async t => {
  const name = 'transaction-back-end.service'
  const unit = readFileSync(pathOf(`deploy/systemd/${name}`), 'utf8')
  const path = join(temporaryFolder(t), name)
  const verify = (text: string) => {
    writeFileSync(path, text.replace('/usr/bin/node', process.execPath))
    const words = ['verify', '--recursive-errors=no', path]
    const { stdout, stderr } = spawnSync('systemd-analyze', words, { encoding: 'utf8' })
    return stdout + stderr
  }
  t.equal(verify(unit), '')
  t.match(verify(unit.replace('ProtectSystem=strict', 'ProtectSystem=strictly')), /protect system value/)
})
