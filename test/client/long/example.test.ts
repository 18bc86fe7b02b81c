import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, STRICT, startNetwork } from '../../helpers/app.ts'
import { installClient } from '../../helpers/installed-client.ts'
import { readChain } from '../../helpers/oracle/index.ts'
import { root, run } from '../../helpers/repository.ts'
import { test } from '../../helpers/tap.ts'

const example = join(root, 'docs/examples/transfer-script/transfer.mjs')

test('the example script approves, and runs a transfer from quote to Completed', async t => {
  const devnet = await startNetwork(t, { evm: ['ETH', 'POL'] })
  const { evm } = devnet
  const [eth, pol] = evm?.chains ?? []
  if (evm === undefined || eth === undefined || pol === undefined) throw new Error('no EVM chains')
  const server = await build(t, STRICT, { devnet })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const folder = await installClient(t)
  const script = join(folder, 'transfer.mjs')
  copyFileSync(example, script)
  const env = { ...process.env, USER_KEY: evm.user.privateKey }
  const transfer = (...args: string[]) => run(process.execPath, [script, url, ...args], { cwd: folder, env })

  const payer = () => eth.tokens['USDT']?.contract.read.balanceOf([evm.user.address])
  const before = await payer()
  const output = await transfer(eth.url)
  t.match(
    output,
    /^Fees: 0\.4\d* USDT\nTo approve: 100\.4\d* USDT\nApproval 0x\w{64}: success\nSubmission: sending\n/
  )
  t.match(output, /\nSubmission: committed\n/)
  t.match(output, /\nTransfer 1: Completed\n$/)
  const { contract } = pol.tokens['USDC'] ?? {}
  const paid = await contract?.read.balanceOf(['0x8ba1f109551bD432803012645Ac136ddd64DBA72'])
  t.equal(paid, 100_000_000n, 'the pool of the development network has paid')
  t.match(Number(before) - Number(await payer()), /^1004\d{5}$/, 'and pulled the allowance')
  t.equal([...readChain(devnet, server.signer.address).executions.values()].join(), '1')

  await t.rejects(transfer(pol.url), { code: 1, stderr: /is not a node of Sepolia/ })
  await t.rejects(transfer(eth.url, 'nowhere'), { code: 1, stdout: /^ADDRESS_INVALID: targetAddress /m })
})
