"""How forms look: one renderer, so that every field of every app is drawn by the same template.

Settings name it as FORM_RENDERER. It must not change what a form accepts.
"""

from django.forms.renderers import DjangoTemplates


class HouseRenderer(DjangoTemplates):
    """Draws a form as a stack of fields: label, input, help, errors that say what to do."""

    form_template_name = "casino/form.html"
    field_template_name = "casino/field.html"
