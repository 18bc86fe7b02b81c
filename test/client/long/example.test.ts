import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, startNetwork } from '../../helpers/app.ts'
import { installClient } from '../../helpers/installed-client.ts'
import { readChain } from '../../helpers/oracle/index.ts'
import { root, run } from '../../helpers/repository.ts'
import { test } from '../../helpers/tap.ts'

const example = join(root, 'docs/examples/transfer-script/transfer.mjs')

test('the example script runs a transfer from quote to Completed', async t => {
  const devnet = await startNetwork(t)
  const settings = { SERVICE_QUOTE_CHECK: 'required', SERVICE_APPROVAL_CHECK: 'enforce' }
  const server = await build(t, settings, { devnet })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const folder = await installClient(t)
  const script = join(folder, 'transfer.mjs')
  copyFileSync(example, script)
  const transfer = (...args: string[]) => run(process.execPath, [script, ...args], { cwd: folder })

  const output = await transfer(url)
  t.match(
    output,
    /^Fees: 0\.4\d* USDT\nTo approve: 100\.4\d* USDT\nSubmission: sending\nSubmission: committed\n/
  )
  t.match(output, /\nTransfer 1: Completed\n$/)
  t.equal([...readChain(devnet, server.signer.address).executions.values()].join(), '1')

  await t.rejects(transfer(url, 'nowhere'), { code: 1, stdout: /^ADDRESS_INVALID: targetAddress /m })
})
