import { randomUUID } from 'node:crypto'
import { DEVELOPMENT_WALLET } from '../../../packages/devnet/wallets.ts'
import { transactionIdSignature } from '../../../services/fiat/transaction-id.ts'
import { createSigner } from '../../../services/wallet/signer.ts'
import { build, startNetwork } from '../../helpers/app.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { t as root, test } from '../../helpers/tap.ts'
import { cardBody, submit } from '../../helpers/transfer-flow.ts'

const devnet = await startNetwork(root)
const server = await build(root, {}, { devnet })

const BANK = { originChain: 'BANK', originSymbol: 'EUR', targetChain: 'BASE', targetSymbol: 'EURC' }

test('submits every fiat payment as FIAT, whether the client sends FIAT, CC or BANK', async t => {
  const signer = await createSigner({ mnemonic: DEVELOPMENT_WALLET, prefix: 'service' })
  const without = { transactionIdSeed: undefined }
  const [card, sepa] = [{ paymentMethod: 'creditCard' }, { paymentMethod: 'sepaEur' }]
  const signed = { signature: '0xsigned' }
  const kept = { chargeFeeAtTarget: true, message: 'I approve' }
  const payments: [body: object, paymentMethod: object][] = [
    [cardBody(signed, { ...kept, ...signed, transactionIdSignature: 'the client’s' }), { ...card, ...kept }],
    [cardBody({ originChain: 'FIAT' }), card],
    [cardBody({}, { paymentMethod: undefined }), card],
    [cardBody(BANK, sepa), sepa],
    [cardBody(BANK, { paymentMethod: '' }), sepa],
    [cardBody({ ...BANK, originChain: 'FIAT' }, sepa), sepa],
    [cardBody({ originAddress: 'anything', ccTransactionIdSeed: randomUUID() }, without), card],
    [cardBody({ fiatTransactionIdSeed: randomUUID() }, { transactionIdSeed: '' }), card],
    [{ ...cardBody(), amountIn: '10050', amountOut: '99000000', amountOutDecimals: 6 }, card]
  ]
  for (const [body, expected] of payments) {
    const path = 'amountIn' in body ? '/submit/swap' : '/submit'
    t.equal((await submit(server, body, { path })).statusCode, 200)
    const { transfers, swaps } = messagesOn(devnet)
    const { options = '', ...message } = (path === '/submit' ? transfers : swaps).at(-1) ?? {}
    t.match(message, { originChain: 'FIAT', originAddress: '', fee: '0.42' })
    t.match(message, path === '/submit' ? { amount: '100.5' } : { amountIn: '100.5', amountOut: '99' })
    const { transactionIdSeed, transactionIdSignature: signature, ...rest } = JSON.parse(options)
    t.equal(signature, await transactionIdSignature(transactionIdSeed, signer))
    t.match(rest, { feeId: /./, ...expected })
    t.notOk('signature' in rest)
  }
  const [status] = (await server.inject('/tx/1/status')).json().data.transaction_data
  t.match(status, { originchain: 'FIAT', originaddress: '' })
})
