import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonClasses, type ButtonLook, type ButtonSize } from '../../../ui/button.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { Specimen, Specimens } from './specimen.tsx';

const looks: ButtonLook[] = ['primary', 'outline', 'quiet', 'plain', 'live', 'danger'];
const sizes: ButtonSize[] = ['small', 'medium', 'large'];

function ExampleTabs() {
  const [current, setCurrent] = useState<'details' | 'sessions' | 'usage'>('details');
  return (
    <div className="w-full rounded-card border border-line bg-surface">
      <Tabs
        label="Example tabs"
        current={current}
        onChange={setCurrent}
        items={[
          { name: 'details', label: 'Details', content: () => 'The first panel.' },
          { name: 'sessions', label: 'Sessions', content: () => 'The second panel.' },
          { name: 'usage', label: 'Usage', content: () => 'The third panel.' },
        ]}
      />
    </div>
  );
}

export const Actions = () => (
  <Specimens title="Actions">
    {sizes.map((size) => (
      <Specimen key={size} name={`Button, ${size}`}>
        {looks.map((look) => (
          <Button key={look} look={look} size={size}>
            {look}
          </Button>
        ))}
      </Specimen>
    ))}
    <Specimen name="Button, disabled">
      {looks.map((look) => (
        <Button key={look} look={look} disabled>
          {look}
        </Button>
      ))}
    </Specimen>
    <Specimen name="Button, busy: with its text, and without">
      {looks.map((look) => (
        <Button key={look} look={look} busy busyText="Saving...">
          {look}
        </Button>
      ))}
      <Button busy>Start Session</Button>
    </Specimen>
    <Specimen name="Button with an icon, and a link that looks like one">
      <Button icon={<Plus aria-hidden size={18} />}>Add New Asset</Button>
      <a href="#content" className={buttonClasses('outline')}>
        To the top
      </a>
    </Specimen>
    <Specimen name="Tabs">
      <ExampleTabs />
    </Specimen>
  </Specimens>
);
