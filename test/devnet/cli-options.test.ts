import { readCliOptions, UsageError } from '../../packages/devnet/cli-options.ts'
import { test } from '../helpers/tap.ts'

test('parses the command line', async t => {
  t.match(readCliOptions([]), {
    help: false,
    devnet: { host: '127.0.0.1', port: 26657, blockTimeMs: 1000, sdk: '0.47' }
  })
  const network = '--host 0.0.0.0 --port 30000 --block-time 500ms --min-gas-price 0.025'
  const { envOut, devnet } = readCliOptions([
    ...network.split(' '),
    '--max-block-gas=5000000',
    '--env-out=.env'
  ])
  t.equal(envOut, '.env')
  t.match(devnet, {
    host: '0.0.0.0',
    port: 30000,
    blockTimeMs: 500,
    minGasPrice: '0.025',
    maxBlockGas: 5_000_000n
  })
  const blockTime = (text: string) => readCliOptions(['--block-time', text]).devnet.blockTimeMs
  t.equal(blockTime('1s'), 1000)
  t.equal(blockTime('0.25s'), 250)
  t.equal(blockTime('200'), 200)
})

test('rejects invalid options', async t => {
  const wrong = [
    '--port 70000',
    '--host here',
    '--block-time 1m',
    '--min-gas-price cheap',
    '--max-block-gas 0',
    '--max-block-bytes all',
    '--sdk 0.46',
    '--brand B',
    'extra'
  ]
  for (const line of wrong) t.throws(() => readCliOptions(line.split(' ')), UsageError, line)
})
