import { browserWallets } from '../keys/browser-wallet.ts'
import { Choice } from '../parts/choice.tsx'
import { LeavingButton } from '../parts/leaving-button.tsx'
import { ProblemView } from '../parts/problem-view.tsx'
import {
  askedWallet,
  chooseBrowserWallet,
  chooseThrowAwayKey,
  chosenWallet,
  originFamily,
  payer,
  walletState
} from '../state/wallet.ts'

const THROW_AWAY = 'throw-away'

/** Lets the user select the wallet that pays and signs. */
export function Payer() {
  const state = walletState.value
  const chosen = askedWallet.value ?? chosenWallet.value
  const wallets = browserWallets.value
  const disabled = originFamily.value !== 'EVM'
  const choose = (id: string) => {
    const wallet = wallets.find(wallet => wallet.id === id)
    return wallet === undefined ? chooseThrowAwayKey() : chooseBrowserWallet(wallet)
  }
  return (
    <div>
      <Choice
        legend="Paying wallet"
        name="wallet"
        value={chosen?.id ?? THROW_AWAY}
        options={[
          { value: THROW_AWAY, label: 'Throw-away key' },
          ...wallets.map(({ id, name }) => ({ value: id, label: name, disabled })),
          ...(wallets.length === 0 ? [{ value: 'none', label: 'Browser wallet', disabled: true }] : [])
        ]}
        onChoose={choose}
      />
      <p class="hint payer">
        <code class="address">{payer.value.address}</code>
        <br />
        <span role="status">{askedWallet.value ? `Waiting for ${askedWallet.value.name}.` : ''}</span>{' '}
        {askedWallet.value === undefined ? (
          about(wallets.length > 0)
        ) : (
          <LeavingButton onClick={chooseThrowAwayKey}>Cancel</LeavingButton>
        )}
      </p>
      {state.status === 'failed' && <ProblemView problem={state.problem} />}
    </div>
  )
}

function about(hasWallet: boolean): string {
  if (chosenWallet.value !== undefined) return 'The account that your wallet shares with this page.'
  const text =
    'Created by this page and kept only in its memory. It has no funds and is lost when you close the page.'
  return hasWallet ? text : `${text} This browser has no wallet.`
}
