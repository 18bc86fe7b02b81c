import type { schemas } from '../../client/index.ts'
import { SelectField, TextField } from '../parts/field.tsx'
import { familyOf, tokensAt } from '../state/catalogue.ts'
import { outcomes } from '../state/sample-addresses.ts'
import { chooseOrigin, chooseTarget, isRail, origins, targets, transfer } from '../state/transfer.ts'
import { canSign } from '../state/wallet.ts'

const chainOptions = (chains: readonly schemas.Chain[]) =>
  chains.map(({ name, shortName, disabled }) => ({
    value: shortName,
    label: `${shortName} · ${name}`,
    disabled
  }))

const tokenOptions = (shortName: string, end: 'origin' | 'target') =>
  tokensAt(shortName, end).map(({ symbol }) => ({ value: symbol, label: symbol }))

export function Ends() {
  const { originChain, originSymbol, amount, targetChain, targetSymbol } = transfer
  return (
    <>
      <div class="row">
        {!isRail.value && (
          <SelectField
            name="originChain"
            label="From chain"
            value={originChain}
            options={chainOptions(origins.value.filter(({ shortName }) => canSign(shortName)))}
            onChoose={chooseOrigin}
          />
        )}
        <SelectField
          name="originSymbol"
          label={isRail.value ? 'Currency' : 'From token'}
          value={originSymbol}
          options={tokenOptions(originChain.value, 'origin')}
        />
        <TextField name="amount" label="Amount" value={amount} inputMode="decimal" />
        <SelectField
          name="targetChain"
          label="To chain"
          value={targetChain}
          options={chainOptions(targets.value)}
          onChoose={chooseTarget}
        />
        <SelectField
          name="targetSymbol"
          label="To token"
          value={targetSymbol}
          options={tokenOptions(targetChain.value, 'target')}
        />
      </div>
      <TargetAddress />
    </>
  )
}

function TargetAddress() {
  const { targetAddress, targetChain } = transfer
  const address = targetAddress.value
  const hasOutcomes = familyOf(targetChain.value) === 'EVM'
  const isSample = outcomes.some(([, sample]) => sample === address)
  return (
    <div class="columns">
      <TextField name="targetAddress" label="Target address" value={targetAddress} class="mono" />
      {hasOutcomes && (
        <SelectField
          name="outcome"
          label="Outcome"
          hint="On the development network, some target addresses lead to a failure, so that you can try each one."
          value={targetAddress}
          options={[
            ...outcomes.map(([label, value]) => ({ value, label })),
            { value: isSample ? '' : address, label: 'An address of your own', disabled: true }
          ]}
        />
      )}
    </div>
  )
}
