import { Field, Select } from '../parts/field.tsx'
import { familyOf, tokensAt } from '../state/catalogue.ts'
import { outcomes } from '../state/sample-addresses.ts'
import { chooseOrigin, chooseTarget, isRail, origins, targets, transfer } from '../state/transfer.ts'
import { canSign } from '../state/wallet.ts'

interface Option {
  name: string
  shortName: string
  disabled: boolean
}

const chainOptions = (chains: readonly Option[]) =>
  chains.map(({ name, shortName, disabled }) => ({
    value: shortName,
    label: `${shortName} · ${name}`,
    disabled
  }))

const tokenOptions = (tokens: readonly { symbol: string }[]) =>
  tokens.map(({ symbol }) => ({ value: symbol, label: symbol }))

/** Origin, target and amount of the transfer. */
export function Ends() {
  return (
    <>
      <div class="row">
        {!isRail.value && (
          <Field name="originChain" label="From chain">
            {attributes => (
              <Select
                {...attributes}
                value={transfer.originChain.value}
                options={chainOptions(origins.value.filter(({ shortName }) => canSign(shortName)))}
                onChoose={chooseOrigin}
              />
            )}
          </Field>
        )}
        <Field name="originSymbol" label={isRail.value ? 'Currency' : 'From token'}>
          {attributes => (
            <Select
              {...attributes}
              value={transfer.originSymbol.value}
              options={tokenOptions(tokensAt(transfer.originChain.value, 'origin'))}
              onChoose={symbol => {
                transfer.originSymbol.value = symbol
              }}
            />
          )}
        </Field>
        <Amount />
        <Field name="targetChain" label="To chain">
          {attributes => (
            <Select
              {...attributes}
              value={transfer.targetChain.value}
              options={chainOptions(targets.value)}
              onChoose={chooseTarget}
            />
          )}
        </Field>
        <Field name="targetSymbol" label="To token">
          {attributes => (
            <Select
              {...attributes}
              value={transfer.targetSymbol.value}
              options={tokenOptions(tokensAt(transfer.targetChain.value, 'target'))}
              onChoose={symbol => {
                transfer.targetSymbol.value = symbol
              }}
            />
          )}
        </Field>
      </div>
      <TargetAddress />
    </>
  )
}

function Amount() {
  return (
    <Field name="amount" label="Amount">
      {attributes => (
        <input
          {...attributes}
          type="text"
          inputMode="decimal"
          autocomplete="off"
          required
          value={transfer.amount.value}
          onInput={event => {
            transfer.amount.value = event.currentTarget.value
          }}
        />
      )}
    </Field>
  )
}

function TargetAddress() {
  const address = transfer.targetAddress.value
  const hasOutcomes = familyOf(transfer.targetChain.value) === 'EVM'
  const chosen = outcomes.find(([, each]) => each === address)?.[1] ?? ''
  return (
    <div class="columns">
      <Field name="targetAddress" label="Target address">
        {attributes => (
          <input
            {...attributes}
            class="mono"
            type="text"
            spellcheck={false}
            autocomplete="off"
            required
            value={address}
            onInput={event => {
              transfer.targetAddress.value = event.currentTarget.value
            }}
          />
        )}
      </Field>
      {hasOutcomes && (
        <Field
          name="outcome"
          label="Outcome"
          hint="On the development network some target addresses end in a failure, so that you can see each one."
        >
          {attributes => (
            <Select
              {...attributes}
              value={chosen}
              options={[
                ...outcomes.map(([label, value]) => ({ value, label })),
                { value: '', label: 'An address of your own', disabled: true }
              ]}
              onChoose={value => {
                transfer.targetAddress.value = value
              }}
            />
          )}
        </Field>
      )}
    </div>
  )
}
