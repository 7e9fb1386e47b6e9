/** The name is what people look for; what the dialog is for is said to those who only hear it. */
export const ManageTitle = ({ name }: { name: string }) => (
  <>
    <span className="sr-only">Manage Asset: </span>
    <span dir="auto">{name}</span>
  </>
);
