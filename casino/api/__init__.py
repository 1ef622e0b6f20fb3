"""What every API view stands on: strict input, one kind of error answer. It knows no app."""
