import { execFile } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build, startNetwork } from '../helpers/app.ts'
import { installClient } from '../helpers/installed-client.ts'
import { readChain } from '../helpers/oracle/index.ts'
import { test } from '../helpers/tap.ts'

const example = fileURLToPath(new URL('../../docs/examples/transfer-script/transfer.mjs', import.meta.url))

test('the example script takes a transfer from its quote to Completed', async t => {
  const devnet = await startNetwork(t)
  const settings = { SERVICE_QUOTE_CHECK: 'required', SERVICE_APPROVAL_CHECK: 'enforce' }
  const server = await build(t, settings, { devnet })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const folder = await installClient(t)
  const script = join(folder, 'transfer.mjs')
  copyFileSync(example, script)
  const run = (...args: string[]) => promisify(execFile)(process.execPath, [script, ...args], { cwd: folder })

  const { stdout } = await run(url)
  t.match(
    stdout,
    /^Fees: 0\.4\d* USDT\nTo approve: 100\.4\d* USDT\nSubmission: sending\nSubmission: committed\n/
  )
  t.match(stdout, /\nTransfer 1: Completed\n$/)
  t.equal([...readChain(devnet, server.signer.address).executions.values()].join(), '1')

  await t.rejects(run(url, 'nowhere'), { code: 1, stdout: /^ADDRESS_INVALID: targetAddress /m })
})
