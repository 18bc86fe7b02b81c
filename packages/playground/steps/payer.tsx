import { browserWallets } from '../keys/browser-wallet.ts'
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

export function Payer() {
  const state = walletState.value
  const chosen = askedWallet.value ?? chosenWallet.value
  const wallets = browserWallets.value
  const disabled = originFamily.value !== 'EVM'
  const options = [
    { id: undefined, name: 'Throw-away key', disabled: false, choose: chooseThrowAwayKey },
    ...wallets.map(wallet => ({ ...wallet, disabled, choose: () => chooseBrowserWallet(wallet) }))
  ]
  return (
    <div>
      <fieldset class="choice">
        <legend>Paying wallet</legend>
        <div class="choice-bar">
          {options.map(({ id, name, disabled, choose }) => (
            <label key={id ?? 'throw-away'}>
              <input
                type="radio"
                name="wallet"
                checked={id === chosen?.id}
                disabled={disabled}
                onChange={choose}
              />
              <span>{name}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <p class="hint payer">
        <code class="address">{payer.value.address}</code>
        <br />
        <span role="status">{askedWallet.value ? `Waiting for ${askedWallet.value.name}.` : ''}</span>{' '}
        {askedWallet.value && <LeavingButton onClick={chooseThrowAwayKey}>Cancel</LeavingButton>}
        {chosen === undefined &&
          'Created by this page and kept only in its memory. It has no funds and is lost when you close the page.'}
        {chosen === undefined && wallets.length === 0 && ' This browser has no wallet.'}
      </p>
      {state.status === 'failed' && <ProblemView step="transfer" problem={state.problem} />}
    </div>
  )
}
