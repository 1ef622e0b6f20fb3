"""Addresses of the people API, under /api/v1/."""

from django.urls import path

from casino.people.api import in_charge, views

urlpatterns = [
    path("sign-on", views.SignOnView.as_view()),
    path("sign-off", views.SignOffView.as_view()),
    path("me", views.MeView.as_view()),
    path("own-secret", views.OwnSecretView.as_view()),
    path("staff", views.StaffListView.as_view()),
    path("staff/<str:number>", views.StaffView.as_view()),
    path("staff/<str:number>/badge", views.StaffBadgeView.as_view()),
    path("staff/<str:number>/active", views.StaffActiveView.as_view()),
    path("staff/<str:number>/roles/<str:role>", views.StaffRoleView.as_view()),
    path("staff/<str:number>/codes", views.StaffCodeView.as_view()),
    path("staff/<str:number>/sign-on", views.StaffSignOnView.as_view()),
    path("devices", views.DeviceListView.as_view()),
    path("devices/<str:number>", views.DeviceView.as_view()),
    path("devices/<str:number>/codes", views.DeviceCodeView.as_view()),
    path("devices/<str:number>/binding", views.DeviceBindingView.as_view()),
    path("manager-in-charge", in_charge.InChargeView.as_view()),
    path("device-claims", views.DeviceClaimView.as_view()),
]
