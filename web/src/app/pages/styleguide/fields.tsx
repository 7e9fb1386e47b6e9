import { useState } from 'react';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { Combobox } from '../../../ui/combobox.tsx';
import { TextArea, TextField } from '../../../ui/field.tsx';
import { RadioCards } from '../../../ui/radio-cards.tsx';
import { Select } from '../../../ui/select.tsx';
import { Stepper } from '../../../ui/stepper.tsx';
import { Specimen, Specimens } from './specimen.tsx';

const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo'];
const zoneText = (zone: string) => zone.replace('_', ' ');

function Choosing() {
  const [checked, setChecked] = useState(true);
  const [month, setMonth] = useState('may');
  const [zone, setZone] = useState('Europe/Berlin');
  const [size, setSize] = useState<'day' | 'week'>('day');
  return (
    <>
      <Specimen name="Checkbox, with and without a hint">
        <Checkbox label="Email notifications" hint="One a day at most" checked={checked} onChange={setChecked} />
        <Checkbox label="Usage reminders" checked={!checked} onChange={(on) => setChecked(!on)} />
      </Specimen>
      <Specimen name="Choice">
        <Choice
          legend="Period"
          value={size}
          options={[
            { value: 'day', text: 'Day' },
            { value: 'week', text: 'Week' },
          ]}
          onChange={setSize}
        />
      </Specimen>
      <div className="grid max-w-2xl gap-4">
        <RadioCards
          legend="RadioCards"
          value={size}
          options={[
            { value: 'day', text: 'By day', hint: 'From midnight to midnight.' },
            { value: 'week', text: 'By week', hint: 'From Monday to Sunday.' },
          ]}
          onChange={setSize}
        />
        <Stepper label="Stepper" min={0} max={744} defaultValue={30} hint="0 to 744" />
      </div>
      <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
        <Select
          label="Select"
          value={month}
          options={[
            { value: 'may', text: 'May' },
            { value: 'june', text: 'June' },
          ]}
          onChange={setMonth}
        />
        <Combobox label="Combobox" value={zone} options={zones} getLabel={zoneText} onChange={setZone} />
        <Combobox
          label="Combobox with an error"
          value={zone}
          options={zones}
          getLabel={zoneText}
          onChange={setZone}
          error="Please choose a time zone"
        />
      </div>
    </>
  );
}

export const Fields = () => (
  <Specimens title="Fields">
    <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
      <TextField label="Text field" placeholder="Netflix Premium" />
      <TextField label="With a hint" hint="What others will see" defaultValue="Netflix Premium" />
      <TextField label="With an error" error="Must be greater than 0" defaultValue="0" />
      <TextField label="Disabled" disabled defaultValue="mira" />
      <TextArea label="Text area" placeholder="Living room and phones" />
      <TextArea label="Text area with an error" error="At most 500 characters" hint="Shown on the card" />
    </div>
    <Choosing />
  </Specimens>
);
