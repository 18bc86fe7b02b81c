import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../../helpers/app.ts'
import { filesOf, root } from '../../helpers/repository.ts'
import { t, test } from '../../helpers/tap.ts'
import { buildCheck } from './build-check.ts'

const pathOf = (path: string) => join(root, path)

const check = buildCheck(t)

test('compose accepts its files', async t => {
  const files = ['compose.yaml', 'deploy/signers/compose.yaml']
  t.match(check('compose', ...files.map(pathOf)), { status: 0, stderr: '' })
})

test('Kubernetes accepts every kustomization, with restricted pods', async t => {
  const folders = filesOf('deploy/kubernetes')
    .filter(path => path.endsWith('/kustomization.yaml'))
    .map(dirname)
    .filter(path => !path.endsWith('/common'))
  t.ok(folders.length > 0)
  for (const folder of folders)
    t.match(check('kubernetes', pathOf(folder)), { status: 0, stderr: '' }, folder)
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
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--recursive-errors=no', path], {
      encoding: 'utf8'
    })
    return stdout + stderr
  }
  t.equal(verify(unit), '')
  t.match(verify(unit.replace('ProtectSystem=strict', 'ProtectSystem=strictly')), /protect system value/)
})
