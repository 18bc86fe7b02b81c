import {
  DEVELOPMENT_WALLET,
  OTHER_WALLET,
  walletAddress,
  walletAddresses
} from '../../packages/devnet/wallets.ts'
import { test } from '../helpers/tap.ts'

test('the addresses belong to the phrases', async t => {
  t.strictSame(walletAddresses('service'), {
    development: await walletAddress(DEVELOPMENT_WALLET, 'service'),
    other: await walletAddress(OTHER_WALLET, 'service')
  })
})
